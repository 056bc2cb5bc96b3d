import { PageLink } from '../../components/page-link.tsx'

/** Links to the receipt of a paid top-up. */
export function ReceiptLink({ sessionId }: { sessionId: string }) {
  return (
    <PageLink to="/credit/receipts/$sessionId" params={{ sessionId }}>
      Receipt
    </PageLink>
  )
}
