package dev.lockstep.ordercheck;

/** A line of code, as a stack trace shows it. */
record CodeSite(String type, String method, String file, long line) implements Comparable<CodeSite> {
    @Override
    public int compareTo(CodeSite other) {
        int byPlace = (file + type + method).compareTo(other.file + other.type + other.method);
        return byPlace != 0 ? byPlace : Long.compare(line, other.line);
    }

    @Override
    public String toString() {
        return type + "." + method + "(" + file + ":" + line + ")";
    }
}
