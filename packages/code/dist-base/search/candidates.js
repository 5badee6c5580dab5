export {};
//# sourceMappingURL=candidates.js.map