package dev.lockstep.cli.terminal;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.IntFunction;
import org.jline.nativ.CLibrary;
import org.jline.nativ.JLineNativeLoader;
import picocli.CommandLine.Help.Ansi;

/**
 * Where the command prints: whether a person looks at it, and what it can show. Everything else writes plain text into
 * pipes and files.
 *
 * @param out what was asked for
 * @param err errors and progress
 * @param interactive whether a person looks at {@code out}, and what is there can be written over
 * @param colours whether it shows colours
 * @param unicode whether it shows more than ASCII
 * @param columns how wide it is
 * @param errInteractive whether the same person looks at {@code err}
 */
public record Terminal(
        PrintWriter out,
        PrintWriter err,
        boolean interactive,
        boolean colours,
        boolean unicode,
        int columns,
        boolean errInteractive) {
    private static final int OUT = 1;
    private static final int ERR = 2;
    private static final int USUAL_COLUMNS = 100;
    private static final int FEWEST_COLUMNS = 55; // fewer than picocli's help can be set in

    /** One whose errors go where everything goes. */
    public Terminal(
            PrintWriter out, PrintWriter err, boolean interactive, boolean colours, boolean unicode, int columns) {
        this(out, err, interactive, colours, unicode, columns, interactive);
    }

    /**
     * The terminal of this process. The launcher says what Java can't find out: {@code lockstep.columns} is set on a terminal only, and
     * {@code lockstep.stderr.terminal} is true if errors go to one too.
     */
    public static Terminal ofProcess() {
        return of(described(System.getProperties(), Terminal::columnsOf), System.getenv());
    }

    /** The properties as the launcher would set them, for a process that was started without it, as in the image. */
    static Map<Object, Object> described(Map<Object, Object> properties, IntFunction<OptionalInt> columnsOf) {
        Map<Object, Object> all = new HashMap<>(properties);
        if (!all.containsKey("lockstep.command")) {
            columnsOf.apply(OUT).ifPresent(columns -> all.put("lockstep.columns", Integer.toString(columns)));
            columnsOf.apply(ERR).ifPresent(columns -> all.put("lockstep.stderr.terminal", "true"));
        }
        return all;
    }

    /** How wide the terminal of a file descriptor is; empty if it leads to none, or JLine has no library for this system. */
    @SuppressWarnings("SystemConsoleNull") // spares a pipe the library; where there is always a console, isatty decides
    private static OptionalInt columnsOf(int descriptor) {
        try {
            if (System.console() == null || !JLineNativeLoader.initialize() || CLibrary.isatty(descriptor) == 0) {
                return OptionalInt.empty();
            }
            CLibrary.WinSize size = new CLibrary.WinSize();
            boolean known = CLibrary.ioctl(descriptor, CLibrary.TIOCGWINSZ, size) == 0 && size.ws_col > 0;
            return OptionalInt.of(known ? size.ws_col : USUAL_COLUMNS);
        } catch (Exception | LinkageError e) { // plain output, as in a pipe
            return OptionalInt.empty();
        }
    }

    static Terminal of(Map<Object, Object> properties, Map<String, String> environment) {
        String columns = String.valueOf(properties.getOrDefault("lockstep.columns", ""));
        boolean terminal = columns.matches("[1-9][0-9]{0,4}");
        boolean interactive = terminal && !"dumb".equals(environment.get("TERM"));
        Charset charset = charset(properties);
        boolean colours =
                interactive && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Terminal(
                writer(System.out, charset),
                writer(System.err, charset),
                interactive,
                colours,
                charset.newEncoder().canEncode('✓'),
                terminal ? Math.max(FEWEST_COLUMNS, Integer.parseInt(columns)) : USUAL_COLUMNS,
                interactive && "true".equals(properties.get("lockstep.stderr.terminal")));
    }

    /** The charset of the locale; newer JDKs say what they use for the output itself. */
    private static Charset charset(Map<Object, Object> properties) {
        Object name = properties.getOrDefault("stdout.encoding", properties.get("native.encoding"));
        return name == null ? Charset.defaultCharset() : Charset.forName(name.toString());
    }

    private static PrintWriter writer(PrintStream stream, Charset charset) {
        return new PrintWriter(stream, true, charset);
    }

    /** A line with its mark, and below it, indented, what there is to say about it. */
    public void entry(Mark mark, String what, String remark) {
        int indent = mark.in(unicode).length() + 1;
        String lead = mark(mark) + " ";
        for (String line : fitting(what, indent)) {
            out.println(lead + line);
            lead = " ".repeat(indent);
        }
        for (String line : fitting(remark, indent)) {
            out.println(lead + line);
        }
    }

    /** The lines of a text; broken between words only where a person looks, since programs look for whole ones. */
    private List<String> fitting(String text, int indent) {
        if (text.isBlank()) {
            return List.of();
        }
        return interactive
                ? Paragraph.lines(text, columns - indent)
                : text.lines().toList();
    }

    /** A mark as this terminal shows it. */
    public String mark(Mark mark) {
        return styled(mark.style(), mark.in(unicode));
    }

    /** A mark as this terminal shows it, as wide as the widest of them. */
    public String column(Mark mark) {
        int widest = unicode ? 1 : Mark.WIDEST_ASCII;
        return mark(mark) + " ".repeat(widest - mark.in(unicode).length());
    }

    /** A text in red. */
    public String red(String text) {
        return styled("red", text);
    }

    /** This one for what is written to {@code err}: without colours where that is a file or a pipe. */
    public Terminal forErrors() {
        return errInteractive ? this : new Terminal(err, err, false, false, unicode, columns);
    }

    /** A text in bold. */
    public String bold(String text) {
        return styled("bold", text);
    }

    /** A text that stands back. */
    public String faint(String text) {
        return styled("faint", text);
    }

    private String styled(String style, String text) {
        Ansi.IStyle[] styles = Ansi.Style.parse(style);
        return colours ? Ansi.Style.on(styles) + text + Ansi.Style.off(styles) : text;
    }

    /** What picocli prints with. */
    public Ansi ansi() {
        return colours ? Ansi.ON : Ansi.OFF;
    }
}
