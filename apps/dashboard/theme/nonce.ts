declare global {
  // What `react-remove-scroll`, below Mantine's dialogs, looks for (its package `get-nonce`).
  var __webpack_nonce__: string | undefined
}

/** The page's own, which its policy asks of every `style` element. Vite writes it into the page's head. */
export const styleNonce = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')?.nonce ?? ''

globalThis.__webpack_nonce__ = styleNonce
