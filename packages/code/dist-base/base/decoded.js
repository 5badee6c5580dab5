/** Percent-decoded; unchanged if it is malformed. */
export function decoded(text) {
    try {
        return decodeURIComponent(text);
    }
    catch {
        return text;
    }
}
