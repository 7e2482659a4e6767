package io.menuboard.app;

import io.micronaut.context.event.BeanCreatedEvent;
import io.micronaut.context.event.BeanCreatedEventListener;
import io.micronaut.http.HttpHeaders;
import io.micronaut.http.HttpMethod;
import io.micronaut.http.server.HttpServerConfiguration.CorsConfiguration;
import io.micronaut.http.server.cors.CorsOriginConfiguration;
import jakarta.inject.Singleton;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has Micronaut answer the origins of {@link CorsConfig} with what GraphQL takes, and without cookies. They have settings of their
 * own because Micronaut's need a system property each: it takes every underscore of a variable for a dot, too, so that
 * {@code MICRONAUT_SERVER_CORS_CONFIGURATIONS_KIOSK_ALLOWED_ORIGINS} also makes a configuration {@code kiosk-allowed}, for everybody.
 */
@Singleton
final class AllowedOrigins implements BeanCreatedEventListener<CorsConfiguration> {
    private static final Logger log = LoggerFactory.getLogger(AllowedOrigins.class);
    private static final String NAME = "menuboard";

    private final CorsConfig config;

    AllowedOrigins(CorsConfig config) {
        this.config = config;
    }

    @Override
    public CorsConfiguration onCreated(BeanCreatedEvent<CorsConfiguration> event) {
        var cors = event.getBean();
        if (config.isOpen()) {
            var all = new HashMap<String, CorsOriginConfiguration>(
                    cors.isEnabled() ? cors.getConfigurations() : Map.of());
            all.put(NAME, configuration());
            cors.setConfigurations(all);
            cors.setEnabled(true);
            log.info("other sites may use GraphQL: origins={} pattern={}", config.origins(), config.pattern());
        }
        return cors;
    }

    private CorsOriginConfiguration configuration() {
        var configuration = new CorsOriginConfiguration();
        configuration.setAllowedOrigins(config.origins());
        configuration.setAllowedOriginsRegex(config.pattern());
        configuration.setAllowedMethods(List.of(HttpMethod.GET, HttpMethod.POST));
        configuration.setAllowedHeaders(List.of(
                HttpHeaders.CONTENT_TYPE, HttpHeaders.ACCEPT, HttpHeaders.AUTHORIZATION, HttpHeaders.IF_NONE_MATCH));
        configuration.setExposedHeaders(List.of(HttpHeaders.RETRY_AFTER, HttpHeaders.ETAG));
        configuration.setAllowCredentials(false);
        return configuration;
    }
}
