import { type Language } from './language.ts';
export declare const swift: Language;
//# sourceMappingURL=swift.d.ts.map