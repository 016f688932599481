package dev.lockstep.server.http;

import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.authentication.ReactiveAuthenticationManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.annotation.web.reactive.EnableWebFluxSecurity;
import org.springframework.security.config.web.server.SecurityWebFiltersOrder;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.authentication.AuthenticationWebFilter;
import org.springframework.security.web.server.context.NoOpServerSecurityContextRepository;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.security.web.server.util.matcher.AndServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.NegatedServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.OrServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatcher.MatchResult;
import org.springframework.security.web.server.util.matcher.ServerWebExchangeMatchers;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/**
 * Which right each request needs. Changes and management endpoints that no rule names need the highest. The page's files and the two probes are open: they
 * tell nothing. A management endpoint is never one of the files, wherever it is.
 */
@Configuration(proxyBeanMethods = false)
@EnableWebFluxSecurity
class AccessRules {
    /** What is open, as long as no management endpoint was put there. */
    static final String[] FILES = {
        "/", "/index.html", "/favicon.ico", "/icon.svg", "/page/**", "/lockstep/**", "/problems/**"
    };

    private static final String[] WORK = {"/api/locks/**", "/api/inventory/**", "/api/demo/**"};
    private static final String CORRECTION = "/api/inventory/{sku}/{location}/adjustments";
    private static final String RESERVATION = "/api/inventory/reservations/{id}";

    /** Who knows the id of a reservation may cancel it. */
    private static final String CHANGES = "/api/inventory/changes/{after}";

    private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD, HttpMethod.OPTIONS);
    private static final String SCHEME = "Bearer ";

    @Bean
    SecurityWebFilterChain accessRuleChain(
            ServerHttpSecurity http, Tokens tokens, LoginAttempts attempts, ManagementPaths management) {
        ServerWebExchangeMatcher endpoint = matcher(management::isManagement);
        ServerWebExchangeMatcher open = new OrServerWebExchangeMatcher(
                matcher(management::isProbe),
                new AndServerWebExchangeMatcher(files(), new NegatedServerWebExchangeMatcher(endpoint)));
        return http.csrf(ServerHttpSecurity.CsrfSpec::disable) // no cookies: a foreign page has nothing to send along
                .headers(ServerHttpSecurity.HeaderSpec::disable)
                .httpBasic(ServerHttpSecurity.HttpBasicSpec::disable)
                .formLogin(ServerHttpSecurity.FormLoginSpec::disable)
                .logout(ServerHttpSecurity.LogoutSpec::disable)
                .requestCache(ServerHttpSecurity.RequestCacheSpec::disable)
                .securityContextRepository(NoOpServerSecurityContextRepository.getInstance())
                .addFilterAt(bearer(tokens, attempts, open), SecurityWebFiltersOrder.AUTHENTICATION)
                .exceptionHandling(refusals -> refusals.authenticationEntryPoint(
                                (exchange, missing) -> Mono.error(LoginAttempts.unauthorized(false)))
                        .accessDeniedHandler((exchange, denied) -> Mono.error(forbidden(exchange))))
                .authorizeExchange(rules -> rules.matchers(open)
                        .permitAll()
                        .matchers(new AndServerWebExchangeMatcher(
                                endpoint, matcher(exchange -> !isRead(exchange) || !management.isForReaders(exchange))))
                        .hasAuthority(Right.ADMIN.wire())
                        .pathMatchers(CORRECTION)
                        .hasAuthority(Right.ADMIN.wire())
                        .pathMatchers(RESERVATION, CHANGES)
                        .hasAuthority(Right.USE.wire())
                        .matchers(matcher(AccessRules::isRead))
                        .hasAuthority(Right.READ.wire())
                        .pathMatchers(WORK)
                        .hasAuthority(Right.USE.wire())
                        .anyExchange()
                        .hasAuthority(Right.ADMIN.wire()))
                .build();
    }

    private static ServerWebExchangeMatcher files() {
        return ServerWebExchangeMatchers.matchers(
                ServerWebExchangeMatchers.pathMatchers(HttpMethod.GET, FILES),
                ServerWebExchangeMatchers.pathMatchers(HttpMethod.HEAD, FILES));
    }

    private static boolean isRead(ServerWebExchange exchange) {
        return READING.contains(exchange.getRequest().getMethod());
    }

    private static ServerWebExchangeMatcher matcher(Predicate<ServerWebExchange> rule) {
        return exchange -> rule.test(exchange) ? MatchResult.match() : MatchResult.notMatch();
    }

    /** Paths may have %2F and the like here: the routes and their own checks read them as they are written. */
    @Bean
    ServerWebExchangeFirewall anyPath() {
        return ServerWebExchangeFirewall.INSECURE_NOOP;
    }

    private static AuthenticationWebFilter bearer(
            Tokens tokens, LoginAttempts attempts, ServerWebExchangeMatcher open) {
        AuthenticationWebFilter filter = new AuthenticationWebFilter((ReactiveAuthenticationManager) Mono::just);
        filter.setRequiresAuthenticationMatcher(new NegatedServerWebExchangeMatcher(open));
        filter.setServerAuthenticationConverter(exchange -> authentication(exchange, tokens));
        filter.setAuthenticationFailureHandler((failed, wrong) -> Mono.error(attempts.failed(failed.getExchange())));
        return filter;
    }

    private static Mono<Authentication> authentication(ServerWebExchange exchange, Tokens tokens) {
        if (tokens.isEmpty()) {
            return Mono.just(authentication(Credential.LOCAL));
        }
        @Nullable String shown = exchange.getRequest().getHeaders().getFirst(HttpHeaders.AUTHORIZATION);
        if (shown == null) {
            return Mono.empty();
        }
        if (!shown.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
            return Mono.error(new BadCredentialsException("not a bearer token"));
        }
        return tokens.find(shown.substring(SCHEME.length()).strip())
                .map(token -> {
                    token.rememberIn(exchange);
                    return Mono.just(authentication(token.credential()));
                })
                .orElseGet(() -> Mono.error(new BadCredentialsException("unknown token")));
    }

    private static Authentication authentication(Credential credential) {
        return UsernamePasswordAuthenticationToken.authenticated(
                credential, "", credential.right().authorities());
    }

    private static Problem forbidden(ServerWebExchange exchange) {
        return Problem.of(
                HttpStatus.FORBIDDEN,
                "forbidden",
                false,
                "The token has the right to " + Credential.of(exchange).right().wire()
                        + ", which is not enough for this. Nothing was changed. Send a token with more rights.");
    }
}
