import type { Language } from './language.ts';
export declare const java: Language;
//# sourceMappingURL=java.d.ts.map