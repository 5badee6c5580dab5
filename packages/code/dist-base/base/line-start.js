/** The offset at which the line of an offset begins. */
export const lineStart = (text, offset) => text.lastIndexOf('\n', offset - 1) + 1;
