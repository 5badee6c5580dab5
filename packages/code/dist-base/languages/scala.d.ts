import { type Language } from './language.ts';
export declare const scala: Language;
//# sourceMappingURL=scala.d.ts.map