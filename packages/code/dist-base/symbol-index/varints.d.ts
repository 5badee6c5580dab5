/** Numbers of up to 32 bits in as few bytes as each needs, seven bits a byte. */
export declare class VarintWriter {
    #private;
    write(value: number): void;
    /** A copy of what was written. */
    bytes(): Uint8Array;
}
/** The numbers of a `VarintWriter`. */
export declare function readVarints(bytes: Uint8Array): number[];
//# sourceMappingURL=varints.d.ts.map