import { type Language } from './language.ts';
export declare const kotlin: Language;
//# sourceMappingURL=kotlin.d.ts.map