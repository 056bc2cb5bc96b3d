/**
 * The tab of a checkout. Browsers let a page open one while it answers a click, so it is opened before the
 * address is known; where they do not even then, `isOpen` says so and a link has to do.
 */
export interface CheckoutTab {
  isOpen: boolean
  /** Leads it there. */
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
      // The processor's page must not reach back into this one.
      opened.opener = null
      opened.location.replace(address)
    },
    close: () => opened.close(),
  }
}
