import type { Language } from './language.ts';
export declare const python: Language;
//# sourceMappingURL=python.d.ts.map