export function CreditPage() {
  return null
}
