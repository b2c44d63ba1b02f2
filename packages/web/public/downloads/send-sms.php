<?php
// Sends one SMS with PHP 8 and its curl extension. Set SMS_API_URL to the service's address and SMS_API_KEY to a key from your dashboard.
$call = curl_init(getenv('SMS_API_URL') . '/api/v1/messages');
curl_setopt_array($call, [
    CURLOPT_POST => true,
    CURLOPT_RETURNTRANSFER => true,
    CURLOPT_TIMEOUT => 30,
    CURLOPT_HTTPHEADER => [
        'Authorization: Bearer ' . getenv('SMS_API_KEY'),
        'Content-Type: application/json',
        'Idempotency-Key: order-1042-shipped',
    ],
    CURLOPT_POSTFIELDS => json_encode([
        'senderName' => 'AdaStores',
        'message' => 'Your order 1042 is on its way.',
        'phoneNo' => '2348031234567,2348057654321',
        'code' => '234',
    ]),
]);
$text = curl_exec($call);
$status = curl_getinfo($call, CURLINFO_RESPONSE_CODE);
$answer = json_decode((string) $text, true);
echo $status, ' ', $text, "\n";
// 503 with "dnd": true means sent: some numbers take no bulk messages, and were skipped and not charged.
exit($status === 200 || ($answer['dnd'] ?? false) === true ? 0 : 1);
