/** Where a page is: what a page token that works alone says. */
export interface PageAddress {
    /** `path#name path`, or the path of a file. */
    id: string;
    /** Offsets in the chunk, in UTF-16 code units. */
    start: number;
    end: number;
    /** As `readPageSize` reads it. */
    size: string;
    /** Of the text before the page, the end and the size. */
    tag: string;
}
/** `src/a.js#Class/method@315-632:500l,10240b.k7q2m8` */
export declare const addressText: ({ id, start, end, size, tag }: PageAddress) => string;
/** Undefined for a text that is no address, such as a page token of another kind. */
export declare function readAddress(text: string): PageAddress | undefined;
//# sourceMappingURL=page-address.d.ts.map