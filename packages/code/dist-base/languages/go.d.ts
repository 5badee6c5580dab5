import { type Language } from './language.ts';
export declare const go: Language;
//# sourceMappingURL=go.d.ts.map