import { type Language } from './language.ts';
export declare const csharp: Language;
//# sourceMappingURL=csharp.d.ts.map