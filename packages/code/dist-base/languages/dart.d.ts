import { type Language } from './language.ts';
export declare const dart: Language;
//# sourceMappingURL=dart.d.ts.map