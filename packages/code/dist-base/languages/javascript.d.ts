import { type Language } from './language.ts';
export declare const javascript: Language;
export declare const typescript: Language;
export declare const tsx: Language;
//# sourceMappingURL=javascript.d.ts.map