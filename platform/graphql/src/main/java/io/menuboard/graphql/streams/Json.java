package io.menuboard.graphql.streams;

/** JSON in UTF-8, in one line where it is sent to clients. Whoever has it leaves it as it is. */
public final class Json {
    private final byte[] utf8;

    private Json(byte[] utf8) {
        this.utf8 = utf8;
    }

    public static Json of(byte[] utf8) {
        return new Json(utf8);
    }

    public byte[] utf8() {
        return utf8;
    }
}
