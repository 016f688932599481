// How users test code that holds the project lock. Shown in docs/project-lock.md, run by DocumentationSamplesTest.
