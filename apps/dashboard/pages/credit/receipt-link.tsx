import { PageLink } from '../../components/page-link.tsx'

/** To the receipt of a top-up that was paid. */
export function ReceiptLink({ sessionId }: { sessionId: string }) {
  return (
    <PageLink to="/credit/receipts/$sessionId" params={{ sessionId }}>
      Receipt
    </PageLink>
  )
}
