<?php
// Sends one SMS with PHP 8, without any extension. Set SMS_API_URL to the service's address and SMS_API_KEY to a key from your dashboard.
$call = stream_context_create(['http' => [
    'method' => 'POST',
    'timeout' => 30,
    'ignore_errors' => true, // refusals have a body, too
    'header' => [
        'Authorization: Bearer ' . getenv('SMS_API_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: order-1042-shipped',
    ],
    'content' => json_encode([
        'senderName' => 'AdaStores',
        'message' => 'Your order 1042 is on its way.',
        'phoneNo' => '2348031234567,2348057654321',
        'code' => '234',
    ]),
]]);
$text = file_get_contents(getenv('SMS_API_URL') . '/api/v1/messages', false, $call);
$status = (int) explode(' ', $http_response_header[0] ?? 'HTTP/1.1 0')[1];
$answer = json_decode((string) $text, true);
echo $status, ' ', $text, "\n";
// 503 with "dnd": true means sent: some numbers take no bulk messages, and were skipped and not charged.
exit($status === 200 || ($answer['dnd'] ?? false) === true ? 0 : 1);
