/**
 * Tells whether an offset is in a line of comment, by how lines begin: `//`, `/*`, and `#` and `--`
 * before a blank. Offsets are asked for in ascending order.
 */
export declare function commentLines(text: string): (at: number) => boolean;
//# sourceMappingURL=comment-lines.d.ts.map