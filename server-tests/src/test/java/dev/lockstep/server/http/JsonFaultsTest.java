package dev.lockstep.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

@Tag("once")
class JsonFaultsTest {
    private enum Mode {
        exclusive,
        shared
    }

    private record Line(String sku) {}

    private record Body(
            @JsonProperty(required = true) String name,
            @Nullable Long waitMs,
            int count,
            @Nullable Mode mode,
            @Nullable List<String> keys,
            @Nullable List<Line> lines) {}

    private static final JsonMapper JSON = json();

    private static JsonMapper json() {
        JsonMapper.Builder builder = JsonMapper.builder();
        new StrictJson().customize(builder);
        return builder.build();
    }

    private static Problem problem(String body) {
        return JsonFaults.problem(catchThrowableOfType(JacksonException.class, () -> JSON.readValue(body, Body.class)));
    }

    @Test
    void whatIsRightPasses() {
        Body body = JSON.readValue("{'name':'n','waitMs':5,'count':1,'keys':['a']}".replace('\'', '"'), Body.class);
        assertThat(body).isEqualTo(new Body("n", 5L, 1, null, List.of("a"), null));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'n','count':1,'waitMs':'soon'}      | waitMs       | waitMs must be a whole number, and is \"soon\".",
                "{'name':'n','count':1,'waitMs':'5'}         | waitMs       | waitMs must be a whole number, and is \"5\".",
                "{'name':'n','count':1,'waitMs':5.7}         | waitMs       | waitMs must be a whole number, and is 5.7.",
                "{'name':'n','count':1,'waitMs':99999999999999999999} | waitMs | waitMs is a number that is too large. Give a smaller one.",
                "{'name':'n','count':1,'waitMs':{}}          | waitMs       | waitMs must be a whole number, and is an object.",
                "{'name':'n','count':1,'waitMs':true}        | waitMs       | waitMs must be a whole number, and is true or false.",
                "{'name':'n','count':null}                   | count        | count must be a whole number of at most 2147483647, and is null.",
                "{'name':'n','count':1,'mode':'mine'}        | mode         | mode must be one of [exclusive, shared], and is \"mine\".",
                "{'name':'n','count':1,'mode':0}             | mode         | mode must be one of [exclusive, shared], and is 0.",
                "{'name':5,'count':1}                        | name         | name must be a string, and is 5.",
                "{'name':'n','count':1,'keys':'a'}           | keys         | keys must be a list, and is a string.",
                "{'name':'n','count':1,'keys':[{}]}          | keys[0]      | keys[0] must be a string, and is an object.",
                "{'name':'n','count':1,'lines':[{'sku':7}]}  | lines[0].sku | lines[0].sku must be a string, and is 7.",
                "{'count':1}                                 | name         | name is missing. It is required here.",
                "[]                                          | body         | body must be an object, and is a list.",
            })
    void namesFieldAndWhatItMustBe(String body, String field, String detail) {
        Problem problem = problem(body.replace('\'', '"'));
        assertThat(problem.getBody().getDetail()).isEqualTo(detail);
        assertThat(problem.getBody().getProperties())
                .containsEntry("code", "invalid-request")
                .containsEntry("field", field);
    }

    @Test
    void anUnknownFieldIsNamedWithTheKnownOnes() {
        Problem problem = problem("{\"name\":\"n\",\"count\":1,\"wait\":5}");
        assertThat(problem.getBody().getProperties())
                .containsEntry("code", "unknown-field")
                .containsEntry("field", "wait");
        assertThat(problem.getBody().getDetail())
                .isEqualTo("There is no field wait here. Known are: count, keys, lines, mode, name, waitMs.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'name':'n',                     | at line 1, column",
                "{'name':'n',~ 'count':1,~ 'x}    | at line 3, column",
                "{'name':'n','count':1,'name':''} | Duplicate",
                "{'name':'n','count':1} {}        | continues after the end",
                "{'name':'n','count':1,'keys':[['a']]} | continues after the end",
                "nonsense                         | at line 1, column",
                "{'count':01}                     | at line 1, column",
            })
    void whatIsNotJsonIsMalformed(String body, String detail) {
        Problem problem = problem(body.replace('\'', '"').replace('~', '\n'));
        assertThat(problem.getBody().getProperties()).containsEntry("code", "malformed-json");
        assertThat(problem.getBody().getDetail()).contains(detail).doesNotContain("jackson", "dev.lockstep");
    }

    @Test
    void depthIsLimited() {
        Problem problem = problem("{\"name\":" + "[".repeat(2000) + "]".repeat(2000) + "}");
        assertThat(problem.getBody().getDetail()).doesNotContain("jackson");
        assertThat(problem.getStatusCode().value()).isEqualTo(400);
    }
}
