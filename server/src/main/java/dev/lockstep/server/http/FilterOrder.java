package dev.lockstep.server.http;

/** In which order a request meets what looks at it: who may ask comes before what is asked for. */
final class FilterOrder {
    static final int HEADERS = -500;
    static final int HOST = -400;
    static final int ORIGIN = -300;
    // -100: Spring Security, which asks for the token
    static final int MEDIA_TYPE = -50;
    static final int BODY = -40;

    private FilterOrder() {}
}
