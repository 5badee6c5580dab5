import { type Language } from './language.ts';
export declare const rust: Language;
//# sourceMappingURL=rust.d.ts.map