package dev.lockstep.server.http;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.exc.InvalidFormatException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** What is wrong with a JSON body, in words that don't name the server's classes. */
final class JsonFaults {
    private static final int SHOWN = 180;
    /** Jackson's exception has the value in its words only. */
    private static final Pattern COERCED = Pattern.compile("^Cannot coerce \\w+ value \\((.*?)\\) to ");

    private JsonFaults() {}

    static Problem problem(JacksonException error) {
        if (error instanceof UnrecognizedPropertyException unknown) {
            return unknownField(unknown);
        }
        if (error instanceof MismatchedInputException mismatch) {
            return mismatch(mismatch);
        }
        if (error instanceof InputCoercionException
                || String.valueOf(error.getOriginalMessage()).startsWith("Number value length")) {
            return Problem.invalid(
                    shortened(path(error)),
                    shortened(path(error)) + " is a number that is too large. Give a smaller one.");
        }
        return Problem.of(
                HttpStatus.BAD_REQUEST,
                "malformed-json",
                false,
                "The body is not JSON" + place(error.getLocation()) + ": " + firstLine(error.getOriginalMessage())
                        + ".");
    }

    private static Problem unknownField(UnrecognizedPropertyException error) {
        Collection<Object> known = error.getKnownPropertyIds();
        String field = path(error);
        return Problem.of(
                        HttpStatus.BAD_REQUEST,
                        "unknown-field",
                        false,
                        "There is no field " + shortened(field) + " here. Known are: "
                                + (known == null
                                        ? ""
                                        : known.stream()
                                                .map(String::valueOf)
                                                .sorted()
                                                .collect(Collectors.joining(", ")))
                                + ".")
                .with("field", shortened(field));
    }

    private static Problem mismatch(MismatchedInputException error) {
        String field = path(error);
        String message = firstLine(error.getOriginalMessage());
        if (message.startsWith("Missing required creator property")) {
            return Problem.invalid(field, field + " is missing. It is required here.");
        }
        if (message.startsWith("Trailing token")) {
            return Problem.of(
                    HttpStatus.BAD_REQUEST,
                    "malformed-json",
                    false,
                    "The body continues after the end of its JSON" + place(error.getLocation()) + ". Send one object.");
        }
        if (error.getTargetType() == null || message.startsWith("No content")) {
            return Problem.invalid("body", "The request has no body. Send a JSON object.");
        }
        return Problem.invalid(
                shortened(field),
                shortened(field) + " must be " + expected(error.getTargetType()) + ", and is " + found(error) + ".");
    }

    /** The kind of value that a type is written as. */
    static String expected(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + Arrays.stream(type.getEnumConstants())
                            .map(each -> String.valueOf(each).toLowerCase(Locale.ROOT))
                            .toList();
        }
        if (List.of(int.class, long.class, Integer.class, Long.class).contains(type)) {
            return "a whole number"
                    + (type == int.class || type == Integer.class ? " of at most " + Integer.MAX_VALUE : "");
        }
        if (type == boolean.class || type == Boolean.class) {
            return "true or false";
        }
        if (CharSequence.class.isAssignableFrom(type)) {
            return "a string";
        }
        return Collection.class.isAssignableFrom(type) || type.isArray() ? "a list" : "an object";
    }

    private static String found(MismatchedInputException error) {
        if (error instanceof InvalidFormatException format) {
            Object value = format.getValue();
            return value instanceof CharSequence
                    ? "\"" + shortened(value.toString()) + "\""
                    : shortened(String.valueOf(value));
        }
        Matcher coerced = COERCED.matcher(error.getOriginalMessage());
        return coerced.find() ? shortened(coerced.group(1)) : token(error.getCurrentToken());
    }

    private static String token(@Nullable JsonToken token) {
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT, END_OBJECT, PROPERTY_NAME -> "an object";
            case START_ARRAY, END_ARRAY -> "a list";
            case VALUE_STRING -> "a string";
            case VALUE_NUMBER_INT -> "a number out of range";
            case VALUE_NUMBER_FLOAT -> "a number with a fraction";
            case VALUE_TRUE, VALUE_FALSE -> "true or false";
            case VALUE_NULL -> "null";
            default -> "something else";
        };
    }

    private static String path(JacksonException error) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference each : error.getPath()) {
            if (each.getPropertyName() == null) {
                path.append('[').append(each.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(each.getPropertyName());
            }
        }
        return path.isEmpty() ? "body" : path.toString();
    }

    private static String place(@Nullable TokenStreamLocation location) {
        return location == null ? "" : " at line " + location.getLineNr() + ", column " + location.getColumnNr();
    }

    /** Jackson's own messages then name classes and settings. */
    private static String firstLine(String message) {
        return shortened(message.lines()
                .findFirst()
                .orElse("")
                .replaceAll("\\s*\\((for|as|through|from|disable|enable|class|`).*", ""));
    }

    static String shortened(String text) {
        return text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "…";
    }
}
