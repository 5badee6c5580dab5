import type { Lexis } from '../languages/language.ts';
/** Token kinds of the brace scanner; `text` is a string or character. */
export type TokenKind = 'word' | 'sign' | 'text' | 'comment' | 'directive';
/**
 * Call `visit` for each word, punctuation character, string, comment and directive, in order. Never
 * fails: an unclosed token ends with its line or with the text.
 */
export declare function scanTokens(text: string, lexis: Lexis, visit: (kind: TokenKind, start: number, end: number) => void): void;
//# sourceMappingURL=scan-tokens.d.ts.map