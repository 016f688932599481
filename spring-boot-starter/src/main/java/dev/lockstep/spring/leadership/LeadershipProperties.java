package dev.lockstep.spring.leadership;

import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * What an application stands for.
 *
 * @param keys The leaderships that the application stands for: the key of each, such as leader:importer, by a name.
 */
@ConfigurationProperties("lockstep.leadership")
public record LeadershipProperties(@DefaultValue Map<String, String> keys) {}
