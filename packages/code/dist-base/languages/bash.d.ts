import type { Language } from './language.ts';
export declare const bash: Language;
//# sourceMappingURL=bash.d.ts.map