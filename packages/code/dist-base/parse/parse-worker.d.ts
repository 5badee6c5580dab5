import { type ParseOutcome } from './parse-text.ts';
export interface Parsing {
    /** The bytes of the text, transferred instead of copied, and decoded in the worker. */
    bytes: Uint8Array<ArrayBuffer>;
    /** Name of the language. */
    language: string;
    timeoutMs: number;
}
/** Entry point of the worker of `createParser`. */
export default function parse({ bytes, language, timeoutMs, }: Parsing): Promise<ParseOutcome>;
//# sourceMappingURL=parse-worker.d.ts.map