import { decoded } from '#base/decoded';
/** Characters that JSON escapes, or that begin a line. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is replaced.
const unsafe = /[%"\\\u0000-\u001f\u007f\u0085\u2028\u2029]/g;
const pattern = /^([\s\S]+)@(\d{1,15})-(\d{1,15}):(\d{1,15}[tlb](?:,\d{1,15}[tlb]){0,2})\.([\da-z]{5,7})$/i;
/** What models and people put around a token. */
const around = /^[\s"'`«“]+|[\s"'`»”]+$/g;
/** `src/a.js#Class/method@315-632:500l,10240b.k7q2m8` */
export const addressText = ({ id, start, end, size, tag }) => `${id.replace(unsafe, encodeURIComponent)}@${start}-${end}:${size}.${tag}`;
/** Undefined for a text that is no address, such as a page token of another kind. */
export function readAddress(text) {
    const [, id, start, end, size = '', tag = ''] = pattern.exec(text.replace(around, '')) ?? [];
    if (id === undefined)
        return undefined;
    return { id: decoded(id), start: Number(start), end: Number(end), size, tag };
}
//# sourceMappingURL=page-address.js.map