/** Digests of the text before an offset. Ascending offsets read each character once. */
export declare class TextBefore {
    #private;
    constructor(text: string);
    digest(offset: number): string;
}
//# sourceMappingURL=text-before.d.ts.map