/** What Stripe also does with a payment, by the settings of its account. */
export interface StripeTax {
  /** An invoice for each payment. */
  invoices: boolean
  /** Tax on top of the amount, by the customer's address. */
  automaticTax: boolean
  /** Businesses may enter their tax number at a checkout. */
  taxIds: boolean
}
