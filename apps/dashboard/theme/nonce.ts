declare global {
  // Read by `react-remove-scroll`, which Mantine's dialogs use (through its package `get-nonce`).
  var __webpack_nonce__: string | undefined
}

/**
 * The page's nonce, which its policy requires of every `style` element. Vite writes it into the page's
 * head.
 */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

globalThis.__webpack_nonce__ = styleNonce
