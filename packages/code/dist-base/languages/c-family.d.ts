import { type Language } from './language.ts';
export declare const c: Language;
export declare const cpp: Language;
//# sourceMappingURL=c-family.d.ts.map