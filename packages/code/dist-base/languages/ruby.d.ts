import { type Language } from './language.ts';
export declare const ruby: Language;
//# sourceMappingURL=ruby.d.ts.map