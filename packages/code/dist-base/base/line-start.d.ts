/** The offset at which the line of an offset begins. */
export declare const lineStart: (text: string, offset: number) => number;
