import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** To the receipt of a top-up that was paid. */
export function ReceiptLink({ sessionId }: { sessionId: string }) {
  return (
    <Anchor
      size="sm"
      renderRoot={(props) => <Link to="/credit/receipts/$sessionId" params={{ sessionId }} {...props} />}
    >
      Receipt
    </Anchor>
  )
}
