import { type Language } from './language.ts';
export declare const php: Language;
//# sourceMappingURL=php.d.ts.map