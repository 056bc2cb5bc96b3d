import type { ReactNode } from 'react'
import type { Schemas } from '../../api/client.ts'
import { exactUsd, parseUsd } from '../../format/money.ts'
import { dateOf, exactTimeOf } from '../../format/time.ts'
import { addressLines } from '../settings/billing/address-lines.ts'
import classes from './receipt.module.css'

type Receipt = Schemas['Receipt']

const methods: Record<Receipt['method'], string> = {
  stripe: 'Stripe Checkout',
  sandbox: 'Sandbox checkout',
}

/** The printed page. */
export function ReceiptSheet({ receipt }: { receipt: Receipt }) {
  const { issued_by: issuer, account } = receipt
  return (
    <article className={classes.sheet} aria-label="Receipt">
      <header className={classes.head}>
        <div>
          <div className={classes.label}>Amount paid</div>
          <div className={classes.amount}>{exactUsd(receipt.paid_usd)}</div>
        </div>
        {issuer !== null && (
          <address className={classes.issuer}>
            <strong>{issuer.name}</strong>
            {issuer.legal_text !== null && <span>{issuer.legal_text}</span>}
          </address>
        )}
      </header>
      {receipt.method === 'sandbox' && (
        <p className={classes.notice}>Paid in the sandbox with play money. No real payment was made.</p>
      )}
      <div className={classes.parts}>
        <Facts
          title="Payment method"
          facts={[
            ['Name', account.display_name],
            ['Email', account.email],
            ...billingFacts(receipt.billing_address),
            ['Account', <span key="id" className={classes.identifier} children={account.id} />],
          ]}
        />
        <Facts
          title="Payment"
          facts={[
            ['Date', exactTimeOf(receipt.paid_at)],
            ['Method', methods[receipt.method]],
            ['Currency', 'US dollars (USD)'],
          ]}
        />
      </div>
      <Lines receipt={receipt} />
      <footer className={classes.foot}>
        This is the receipt of a payment, not a tax invoice: it shows no VAT or sales tax.
      </footer>
    </article>
  )
}

function billingFacts(address: Receipt['billing_address']): [name: string, value: ReactNode][] {
  if (address === null) return []
  return [
    ['Billed to', <Lined key="billed" lines={addressLines(address)} />],
    ['VAT ID', address.vat_id],
  ]
}

function Lined({ lines }: { lines: string[] }) {
  return lines.map((line, index) => <div key={index}>{line}</div>)
}

function Facts({ title, facts }: { title: string; facts: [name: string, value: ReactNode][] }) {
  return (
    <section>
      <h2 className={classes.title}>{title}</h2>
      <dl className={classes.facts}>
        {facts
          .filter(([, value]) => value !== null)
          .map(([name, value]) => (
            <div key={name} className={classes.fact}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
      </dl>
    </section>
  )
}

/** What was paid, what was refunded since, and what remains. */
function Lines({ receipt }: { receipt: Receipt }) {
  const [refunded, disputed] = [parseUsd(receipt.refunded_usd), parseUsd(receipt.disputed_usd)]
  const wentBack = refunded > 0n || disputed > 0n
  return (
    <table className={classes.lines}>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">Amount</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>
            Prepaid credit for API requests
            <small>Credit granted: {exactUsd(receipt.credited_usd)}</small>
          </td>
          <td>{exactUsd(receipt.paid_usd)}</td>
        </tr>
        {refunded > 0n && (
          <tr>
            <td>Refunded</td>
            <td>{exactUsd(-refunded)}</td>
          </tr>
        )}
        {disputed > 0n && (
          <tr>
            <td>Disputed by the payer’s bank</td>
            <td>{exactUsd(-disputed)}</td>
          </tr>
        )}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{wentBack ? `Remains paid on ${dateOf(Date.now() / 1000)}` : 'Total paid'}</th>
          <td>{exactUsd(receipt.net_usd)}</td>
        </tr>
      </tfoot>
    </table>
  )
}
