/** What the documentation shows. */
package dev.lockstep.spring.samples;
