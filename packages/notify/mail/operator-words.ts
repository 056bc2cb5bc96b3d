import type { EventData, operatorEventTypes } from '../events/event.ts'

type OperatorEvent = (typeof operatorEventTypes)[number]

/** The text about an event that only operators receive. */
export function operatorWords(
  type: OperatorEvent,
  data: EventData,
): { subject: string; paragraphs: readonly string[] } {
  const of = (name: string): string => `${data[name] as string | number}`
  switch (type) {
    case 'provider.key_refused':
      return {
        subject: `The provider "${of('provider')}" rejects one of the gateway's keys`,
        paragraphs: [
          `"${of('provider')}" says that key number ${of('key')} in its list is not valid. ` +
            'Until it is fixed, requests use other keys and providers, or fail.',
        ],
      }
    case 'ledger.difference':
      return {
        subject: 'The ledger does not add up',
        paragraphs: [
          `A verification found ${of('differences')} differences among ${of('checked')} items that it ` +
            `compared. ${of('new_differences')} of them are new.`,
        ],
      }
    case 'topup.paid_after_closing':
      return {
        subject: `A closed account received a payment: ${of('paid_usd')} USD`,
        paragraphs: [
          `The top-up ${of('session_id')} was paid after its account ${of('closed_account_id')} had been ` +
            'closed. The credit is kept on that account. Refund the payment at the payment processor; the ' +
            'ledger follows by itself.',
        ],
      }
  }
}
