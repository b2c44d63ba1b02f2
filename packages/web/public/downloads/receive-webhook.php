<?php
// Receives webhooks with PHP 8. Set WEBHOOK_SECRET to the webhook's secret. To try it: php -S 127.0.0.1:8081 receive-webhook.php
$body = file_get_contents('php://input'); // signed as it came: check it before any parsing
$id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
$timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
$key = base64_decode(preg_replace('/^whsec_/', '', (string) getenv('WEBHOOK_SECRET')));
$expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));

$isSigned = false;
// While a secret is rotated there are two signatures, separated by a space.
foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
    $isSigned = hash_equals($expected, $signature) || $isSigned;
}
if (!$isSigned || !ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
    http_response_code(400);
    exit('The signature is wrong');
}

$event = json_decode($body, true);
// Keep the id: an event that arrives again has the same.
file_put_contents('php://stderr', "$id {$event['type']} " . json_encode($event['data']) . "\n");
http_response_code(204);
