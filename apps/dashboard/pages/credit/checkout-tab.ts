/**
 * The tab of a checkout. Browsers only let a page open a tab while it handles a click, so it is opened
 * before the address is known. If the browser blocks even that, `isOpen` is false and the page shows a
 * link.
 */
export interface CheckoutTab {
  isOpen: boolean
  /** Loads the address in the tab. */
  go(address: string): void
  close(): void
}

export function openCheckoutTab(): CheckoutTab {
  const opened = window.open('about:blank', '_blank')
  if (opened === null) return { isOpen: false, go: () => undefined, close: () => undefined }
  opened.document.title = 'Opening the checkout'
  return {
    isOpen: true,
    go(address) {
      // The payment processor's page must not have access to this one.
      opened.opener = null
      opened.location.replace(address)
    },
    close: () => opened.close(),
  }
}
