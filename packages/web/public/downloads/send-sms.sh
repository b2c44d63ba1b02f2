#!/bin/sh
# Sends one SMS. Set SMS_API_URL to the service's address and SMS_API_KEY to a key from your dashboard.
curl --fail-with-body "$SMS_API_URL/api/v1/messages" \
  --header "Authorization: Bearer $SMS_API_KEY" \
  --header "Idempotency-Key: order-1042-shipped" \
  --json '{
    "senderName": "AdaStores",
    "message": "Your order 1042 is on its way.",
    "phoneNo": "2348031234567,2348057654321",
    "code": "234"
  }'
