/** Number of values per unit. */
export const unitSize = 3;
/** The syntax of a text that is not parsed. */
export const nothing = {
    units: new Uint32Array(),
    leads: new Uint32Array(),
    tokens: new Uint32Array(),
    hasErrors: false,
};
//# sourceMappingURL=parsed.js.map