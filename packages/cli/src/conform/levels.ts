/** How far the checks go: reads alone, the whole contract, or all of this product. */
export const levels = ['read', 'write', 'full'] as const;
